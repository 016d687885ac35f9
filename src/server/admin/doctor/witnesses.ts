/** Checks what the witnesses of the board's log answered last. */
import type { Config } from '#server/config/config.ts';
import { WITNESS_ALARM_WORDS } from '#server/process/checkpoint-fault.ts';
import { type AskedWitness, witnessesIn } from '#server/witness/witness-client.ts';
import { type WitnessStateName, readWitnessState } from '#server/witness/witness-state.ts';
import { type DoctorCheck, checksOf, durationText } from './check.ts';

const { ok, warning, problem } = checksOf('witness');

type Trouble = Exclude<WitnessStateName, 'cosigned'>;

const TROUBLE: Readonly<Record<Trouble, readonly [text: string, advice: string]>> = {
  ahead: ['states that it saw more entries than the log has', `${WITNESS_ALARM_WORDS}.`],
  inconsistent: ['states that the log contradicts what it saw', `${WITNESS_ALARM_WORDS}.`],
  unknown_log: [
    'does not know this log',
    'Send its admin the line that begins with "log": opbench-board witness show',
  ],
  wrong_key: [
    'knows this log under another key',
    'Send its admin the line that begins with "log": opbench-board witness show',
  ],
  failed: [
    'did not cosign the last checkpoint that it was asked for',
    'Check its URL in the file of WITNESS_POLICY, or ask its admin. The board asks it again within an hour.',
  ],
};

/** Nothing if no witnesses are configured. */
export function witnessChecks({ witnessPolicy, dataDir }: Config): DoctorCheck[] {
  if (!witnessPolicy) return [];
  return witnessesIn(witnessPolicy, readWitnessState({ dataDir })).map(checkOf);
}

function checkOf({ name, report }: AskedWitness): DoctorCheck {
  if (!report) return warning(`${name} was not asked yet`, 'Restart the board to ask it now.');
  const { state, detail, cosigned } = report;
  if (state === 'cosigned') {
    const age = durationText(Date.now() - Date.parse(cosigned?.at ?? report.at));
    return ok(`${name} cosigned size ${cosigned?.size ?? 0} of the log ${age} ago`);
  }
  const [text, advice] = TROUBLE[state];
  const isAlarm = state === 'ahead' || state === 'inconsistent';
  const words = `${name} ${text}${detail === null ? '' : ` (${detail})`}`;
  return isAlarm ? problem(words, advice) : warning(words, advice);
}
