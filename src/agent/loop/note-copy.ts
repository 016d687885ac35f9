/** Saves what a copied ledger contained before it changed here, because only that belongs to the original. */
import { join } from 'node:path';
import * as z from 'zod';
import type { LocalDevice, Place } from '../device.ts';
import { orNull } from '../failure.ts';
import { LedgerThen, baselineNow } from '../state/baseline.ts';
import { readJson, writePrivate } from '../state/atomic-file.ts';
import { COPIED, bindingOf, placeOf } from '../state/machine.ts';
import { Ledger } from '../ledger/ledger.ts';
import { stateFolder } from '../settings.ts';

const Copied = LedgerThen.extend({
  place: z.string().nullable(),
});

type Where = Pick<Place, 'environment'>;

/** Opens the ledger for changes. If it is a copy, its current content is noted first. */
export function openForUpdate(
  place: Where & Pick<Place, 'nowMs'>,
  { wait }: Pick<LocalDevice, 'wait'>,
): Ledger {
  noteCopy(place);
  return new Ledger(join(stateFolder(place.environment), 'ledger'), { wait });
}

/** Must run before the ledger is updated. Does not overwrite an earlier note. */
function noteCopy({ environment, nowMs }: Where & Pick<Place, 'nowMs'>): void {
  const folder = stateFolder(environment);
  const bound = { environment, keystore: { folder } };
  if (bindingOf(bound).state !== 'copied' || copiedBaseline({ environment }) !== null) return;
  const ledger = new Ledger(join(folder, 'ledger'), { wait: () => Promise.resolve() });
  // An empty or unreadable ledger says nothing about the original.
  if (ledger.blocked || ledger.run === 0) return;
  const then = baselineNow(ledger, new Date(nowMs()).toISOString());
  const noted = JSON.stringify({ ...then, place: placeOf(bound) });
  // Without the note, everything in the ledger at enrollment counts as the original's.
  orNull(() => writePrivate(join(folder, COPIED), noted));
}

/** The noted content of a copied ledger; null if there is no note for this folder. */
export function copiedBaseline({ environment }: Where): LedgerThen | null {
  const folder = stateFolder(environment);
  const copied = readJson(join(folder, COPIED), Copied);
  if (copied === null || copied.place !== placeOf({ environment, keystore: { folder } }))
    return null;
  return copied;
}
