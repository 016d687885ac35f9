/** Looks at everything that this command depends on, and says what is wrong with it. */
import { utcDay } from '#core/domain/counting/day.ts';
import { autoReport } from '../auto/health.ts';
import type { Progress } from '../command.ts';
import type { Device } from '../device.ts';
import { examineBoards } from '../doctor/boards.ts';
import { bindingFindings } from '../doctor/devices.ts';
import { ledgerFindings, ledgerReport } from '../doctor/ledger.ts';
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
import { repairLedger } from './repair.ts';
import { scanDevice } from './scan-device.ts';
import type { DoctorReport, TimerReport } from '../device-reports.ts';

export interface DoctorOptions {
  /** The only board to look at. */
  board?: string | undefined;
  /** Asks no board. */
  offline: boolean;
  /** Mends the ledger before it is looked at. */
  repair?: boolean;
  progress?: Progress;
}

/** Examines this installation. What is found is told, never thrown; nothing is changed but what `repair` mends. */
export async function examine(
  device: Device,
  { board, offline, repair = false, progress = () => undefined }: DoctorOptions,
): Promise<DoctorReport> {
  const { environment } = device;
  // Reading a key makes its file private again.
  const exposed = exposedFindings(environment);
  const program = programReport(device);
  const state = stateReport(environment);
  const index = indexReport(environment);
  const repaired = repair ? await repairLedger(device, progress) : [];
  const { scanned, ledger, notes } = await scanDevice(device, progress);
  const kept = ledgerReport(ledger, scanned);
  const { findings: autoFindings, ...auto } = autoReport(device);
  progress('asking boards');
  const { boards, findings: boardFindings } = await examineBoards(device, {
    board,
    offline,
    sumUntil: (day, tool, untilMs) => ledger.sumUntil(day, tool, untilMs),
  });
  const found = [
    ...logFindings(scanned, utcDay(device.nowMs())),
    ...folderFindings(state, index),
    ...ledgerFindings(ledger, kept, notes),
    ...exposed,
    ...bindingFindings(device),
    ...programFindings(program),
    ...boardFindings,
    ...autoFindings,
    ...strandedFindings(auto, device),
  ];
  const findings = typedFindings(device, found).sort((a, b) => rankOf(a) - rankOf(b));
  const logs = logReports(scanned);
  return { program, state, index, logs, ledger: kept, boards, auto, repaired, findings };
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
