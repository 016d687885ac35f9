/**
 * The graph of imports. Every import of a source file includes the file's extension, so no resolver is needed.
 *
 * @module
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const { imports: ALIASES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Folders whose files must not import each other in a cycle. */
const SCANNED = ['src', 'db', 'scripts', 'tests', '.config'];

/** Folders whose direct subfolders must not import each other in a cycle. */
const PARENTS = [
  'src/server',
  'src/agent',
  'src/components',
  'src/core',
  'src/core/domain',
  'src/core/contract',
  'db',
];

const IMPORT = /^(?:import|export)\b(?! type\b)[^'";=]*?(?:\bfrom\s*)?'([^']+)';?$/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*'([^']+)'/g;

/** The path of a file in the repository, with `/` as separator. */
export function pathInRepository(file) {
  return relative(ROOT, file).replaceAll('\\', '/');
}

/** The file that is imported, as a path in the repository; null if it is a package. */
export function importedFile(from, source) {
  const bare = source.replace(/\?.*$/, '');
  if (bare.startsWith('.')) return posix.join(posix.dirname(from), bare);
  for (const [alias, target] of Object.entries(ALIASES)) {
    const prefix = alias.slice(0, -1);
    if (bare.startsWith(prefix)) return posix.join(target, '..', bare.slice(prefix.length));
  }
  return null;
}

/** Groups of files that import each other's values in a cycle: the group's number by file. */
export function fileCycles() {
  const graph = new Map();
  for (const file of SCANNED.flatMap(sourceFiles)) graph.set(file, valueImports(file));
  return { graph, groupOf: groupsOf(graph) };
}

/** Groups of sibling folders that import each other in a cycle: the group's number by folder. */
export function folderCycles({ graph }) {
  const folders = new Map();
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const pair = siblingFolders(from, to);
      if (!pair) continue;
      const [one, other] = pair;
      folders.set(one, [...(folders.get(one) ?? []), other]);
    }
  }
  return groupsOf(folders);
}

/** The two sibling folders that an import connects; null if it connects none. */
export function siblingFolders(from, to) {
  for (const parent of PARENTS) {
    const one = childFolder(parent, from);
    const other = childFolder(parent, to);
    if (one && other) return one === other ? null : [one, other];
  }
  return null;
}

function childFolder(parent, file) {
  const prefix = parent === '.' ? '' : `${parent}/`;
  if (!file.startsWith(prefix)) return null;
  const [name, ...rest] = file.slice(prefix.length).split('/');
  return rest.length === 0 ? null : prefix + name;
}

function sourceFiles(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|astro)$/.test(entry.name))
    .map((entry) => pathInRepository(join(entry.parentPath, entry.name)));
}

function valueImports(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [IMPORT, DYNAMIC_IMPORT]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, source]) => importedFile(file, source))
    .filter((target) => target !== null);
}

/** Tarjan's strongly connected components with more than one node, as a number by node. */
function groupsOf(graph) {
  const state = { index: new Map(), low: new Map(), stack: [], groupOf: new Map(), groups: 0 };
  for (const node of graph.keys()) if (!state.index.has(node)) visit(node, graph, state);
  return state.groupOf;
}

function visit(node, graph, state) {
  const { index, low, stack } = state;
  const at = index.size;
  index.set(node, at);
  low.set(node, at);
  stack.push(node);
  for (const next of graph.get(node) ?? []) {
    if (!index.has(next)) visit(next, graph, state);
    if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
  }
  if (low.get(node) !== at) return;
  const members = stack.splice(stack.indexOf(node));
  state.groups += 1;
  if (members.length > 1) members.forEach((member) => state.groupOf.set(member, state.groups));
}
