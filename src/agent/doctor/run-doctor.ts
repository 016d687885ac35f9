/** Looks at everything that this command depends on, and says what is wrong with it. */
import { utcDay } from '#core/domain/counting/day.ts';
import { autoReport } from '../auto/health.ts';
import type { Progress } from '../command.ts';
import type { Device } from '../device.ts';
import { examineBoards } from './boards.ts';
import { bindingFindings } from './devices.ts';
import { ledgerFindings, ledgerReport, logFindings, logReports } from './logs.ts';
import {
  exposedFindings,
  folderFindings,
  indexReport,
  programFindings,
  programReport,
  stateReport,
} from './state.ts';
import { type Finding, problem, typedFindings } from '../finding.ts';
import { EXIT } from '../failure.ts';
import type { DoctorReport, TimerReport } from '../device-reports.ts';
import { counted } from '../text/figures.ts';
import { scanDevice } from '../loop/scan-device.ts';
import { adoptSent } from '../loop/adopt-sent.ts';
import { openForUpdate } from '../loop/note-copy.ts';

interface DoctorOptions {
  /** The only board to look at. */
  board?: string | undefined;
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

/**
 * Sets damaged files aside, reads all logs again, and adds what boards have beyond that. It never
 * lowers a count.
 *
 * @returns What was done; nothing if the ledger may not be touched.
 */
async function repairLedger(device: Device, progress?: Progress): Promise<string[]> {
  const opened = openForUpdate(device, device);
  if (opened.blocked) return [];
  const before = opened.responses();
  const { notes } = await opened.distrust();
  const lost = before - opened.responses();
  const { ledger, notes: told } = await scanDevice(device, progress);
  const read = ledger.responses() - opened.responses();
  const adopted = await adoptSent(device, ledger, true);
  const summary = [
    ...(lost > 0 ? [`${counted(lost, 'response')} could not be read from the ledger`] : []),
    ...(read > 0 ? [`${counted(read, 'response')} read again from the logs`] : []),
  ];
  const done = [...notes, ...told, ...summary, ...adopted];
  return done.length > 0
    ? done
    : ['Nothing to repair: the ledger agrees with the logs and the boards'];
}
