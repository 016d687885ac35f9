/** Repairs the ledger from the logs and from what boards have. */
import type { Progress } from '../command.ts';
import type { Device } from '../device.ts';
import { counted } from '../text/counted.ts';
import { adoptSent } from './adopt-sent.ts';
import { openForUpdate } from './note-copy.ts';
import { scanDevice } from './scan-device.ts';

/**
 * Sets damaged files aside, reads all logs again, and adds what boards have beyond that. It never
 * lowers a count.
 *
 * @returns What was done; nothing if the ledger may not be touched.
 */
export async function repairLedger(device: Device, progress?: Progress): Promise<string[]> {
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
