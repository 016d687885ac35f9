/** Sentences about the checkpoint of the log and its witnesses. */
import { count, momentText } from '../text/format.ts';

interface Report {
  state: string;
  detail: string | null;
  at: string;
  cosigned: { size: number; at: string } | null;
}

interface Facts {
  fault: string | null;
  shown: { size: number } | null;
  cosignedSize: number | null;
  quorum: string | null;
  witnesses: readonly unknown[];
}

const STATES: Readonly<Record<string, string>> = {
  ahead: 'It states that it saw more entries than this log has. The admin has to find out why',
  inconsistent:
    'It states that this log contradicts what it saw before. The admin has to find out why',
  unknown_log: 'It does not know this log yet',
  wrong_key: 'It knows this log under another key',
  failed: 'Its last answer could not be used',
};

function entriesText(entries: number): string {
  return count(entries, 'entry', 'entries');
}

export function checkpointText({ fault, shown }: Pick<Facts, 'fault' | 'shown'>): string {
  if (fault !== null) {
    return 'The board shows no checkpoint, because it cannot tell whether the log extends what it published before.';
  }
  return shown ? `The log has ${entriesText(shown.size)}.` : 'The log has no checkpoint yet.';
}

export function witnessesText({ witnesses, cosignedSize, quorum }: Facts): string {
  if (witnesses.length === 0) return 'This log has no witnesses.';
  if (cosignedSize === null) {
    return quorum === null
      ? 'No witness has cosigned a checkpoint yet.'
      : 'Not enough witnesses have cosigned a checkpoint yet.';
  }
  return `The first ${entriesText(cosignedSize)} of the log are cosigned.`;
}

/** What a witness answered; null if it was not asked yet. */
export function reportTexts(report: Report | null): string[] {
  if (!report) return ['Not asked yet.'];
  const { state, at, cosigned } = report;
  const when = (iso: string) => momentText(iso, 'instant');
  const last = cosigned
    ? [`Cosigned ${entriesText(cosigned.size)} on ${when(cosigned.at)}.`]
    : ['Has not cosigned a checkpoint yet.'];
  return state === 'cosigned'
    ? last
    : [...last, `${STATES[state] ?? STATES['failed']} (${when(at)}).`];
}

interface PolicyFacts {
  key: { vkey: string } | null;
  witnesses: readonly { name: string; vkey: string }[];
}

/** A policy that trusts the log, and requires a cosignature of any of its witnesses. */
export function policyLines({ key, witnesses }: PolicyFacts, url: string): string[] {
  const names = witnesses.map(({ name }) => name);
  return [
    ...(key ? [`log ${key.vkey} ${url}`] : []),
    ...witnesses.map(({ name, vkey }) => `witness ${name} ${vkey}`),
    ...(names.length > 0 ? [`group any-witness any ${names.join(' ')}`] : []),
    names.length > 0 ? 'quorum any-witness' : 'quorum none',
  ];
}
