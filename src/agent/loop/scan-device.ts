/** Reads the logs of this device, and keeps what they tell. */
import { setTimeout } from 'node:timers/promises';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Progress } from '../command.ts';
import type { Device, Place } from '../device.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ScanLedger, ToolTold } from '../logs/scan-ledger.ts';
import { type Scan, scanLogs } from '../logs/scan.ts';
import { openForUpdate } from './note-copy.ts';
import { sightingOf } from './sighting.ts';

/** What the logs say, and the ledger that has taken it. */
export interface DeviceScan {
  scanned: Scan;
  ledger: Ledger;
  /** Whether the ledger holds on disk what the logs say. */
  isKept: boolean;
  /** What could not be kept or recounted. */
  notes: string[];
}

type ScanPlace = Pick<Place, 'environment' | 'nowMs'> & Partial<Pick<Device, 'wait'>>;

/** Scans, and updates the ledger with what is new. Neither fails as a whole: notes say what is missing. */
export async function scanDevice(
  { environment, nowMs, wait = pause }: ScanPlace,
  progress?: Progress,
): Promise<DeviceScan> {
  const ledger = openForUpdate({ environment, nowMs }, { wait });
  const today = utcDay(nowMs());
  const notes: string[] = [];
  const fed: ScanLedger = {
    get id() {
      return ledger.id;
    },
    get run() {
      return ledger.run;
    },
    rulesOf: (tool) => ledger.rulesOf(tool),
    async take(told: readonly ToolTold[]) {
      const sightings = told.map((one) => sightingOf(one, today));
      notes.push(...(await ledger.update(sightings, today)).notes);
    },
  };
  const options = progress ? { progress } : {};
  const scanned = await scanLogs(environment, { ...options, ledger: fed });
  return { scanned, ledger, isKept: ledger.isSaved, notes };
}

/** The same for those who want to know what the logs say, with all notes. */
export async function scanAndKeep(place: ScanPlace, progress?: Progress): Promise<Scan> {
  const { scanned, notes } = await scanDevice(place, progress);
  return { ...scanned, notes: [...scanned.notes, ...notes] };
}

async function pause(ms: number): Promise<void> {
  await setTimeout(ms);
}
