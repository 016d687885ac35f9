/** Looks at everything that this command depends on, and says what is wrong with it. */
import { utcDay } from '#core/domain/day.ts';
import { autoReport } from '../auto/health.ts';
import type { Progress } from '../command.ts';
import type { Device } from '../device.ts';
import { examineBoards } from '../doctor/boards.ts';
import { logFindings, logReports } from '../doctor/logs.ts';
import {
  exposedFindings,
  folderFindings,
  indexReport,
  programFindings,
  programReport,
  stateReport,
} from '../doctor/state.ts';
import { type Finding, problem, typedFindings } from '../finding.ts';
import { EXIT } from '../failure.ts';
import { scanLogs } from '../logs/scan.ts';
import type { DoctorReport, TimerReport } from '../device-reports.ts';

export interface DoctorOptions {
  /** The only board to look at. */
  board?: string | undefined;
  /** Asks no board. */
  offline: boolean;
  progress?: Progress;
}

/** Examines this installation. What is found is told, never thrown; nothing is changed. */
export async function examine(
  device: Device,
  { board, offline, progress = () => undefined }: DoctorOptions,
): Promise<DoctorReport> {
  const { environment } = device;
  // Reading a key makes its file private again.
  const exposed = exposedFindings(environment);
  const program = programReport(device);
  const state = stateReport(environment);
  const index = indexReport(environment);
  const scanned = await scanLogs(environment, { progress });
  const { findings: autoFindings, ...auto } = autoReport(device);
  progress('asking boards');
  const { boards, findings: boardFindings } = await examineBoards(device, { board, offline });
  const found = [
    ...logFindings(scanned, utcDay(device.nowMs())),
    ...folderFindings(state, index),
    ...exposed,
    ...programFindings(program),
    ...boardFindings,
    ...autoFindings,
    ...strandedFindings(auto, device),
  ];
  const findings = typedFindings(device, found).sort((a, b) => rankOf(a) - rankOf(b));
  return { program, state, index, logs: logReports(scanned), boards, auto, findings };
}

function strandedFindings({ state }: TimerReport, { keystore }: Device) {
  const { sound, damaged } = keystore.identities();
  if (state === 'off' || sound.length + damaged.length > 0) return [];
  const text = 'The timer is on, but this device is not enrolled on any board';
  return [problem(EXIT.usage, text, 'Run: opbench auto off')];
}

function rankOf({ severity }: Finding): number {
  return severity === 'problem' ? 0 : 1;
}
