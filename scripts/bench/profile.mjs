// Where a process spends its time: a V8 CPU profile, summed up by named functions.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const IDLE = new Set(['(idle)', '(root)']);

/**
 * The busy time of each phase in microseconds, longest first. A sample belongs to the innermost
 * function on its stack that a phase names; all other samples are `(rest)`.
 *
 * @param phases By name, the functions of each phase.
 */
export function profileByPhase(folder, phases) {
  const phaseOf = new Map(
    Object.entries(phases).flatMap(([phase, names]) => names.map((name) => [name, phase])),
  );
  const times = new Map();
  for (const file of readdirSync(folder)) addProfile(times, phaseOf, join(folder, file));
  return [...times].sort(([, a], [, b]) => b - a);
}

function addProfile(times, phaseOf, path) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, { ...node, phase: '(rest)' }]));
  const visit = (id, inherited) => {
    const node = byId.get(id);
    const { functionName } = node.callFrame;
    node.phase = phaseOf.get(functionName.split(' ').at(-1)) ?? inherited;
    if (functionName === '(garbage collector)') node.phase = functionName;
    for (const child of node.children ?? []) visit(child, node.phase);
  };
  visit(nodes[0].id, '(rest)');
  samples.forEach((id, index) => {
    const { phase, callFrame } = byId.get(id);
    if (IDLE.has(callFrame.functionName)) return;
    times.set(phase, (times.get(phase) ?? 0) + timeDeltas[index]);
  });
}
