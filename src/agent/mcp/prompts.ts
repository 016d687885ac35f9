/** The prompts of the local server: the loop of an operator, as one request each. */
import * as z from 'zod';
import {
  COMPARE,
  EXPLAIN_PEER,
  LAST_WEEK,
  type Prompt,
  peerStep,
  steps,
} from '#core/contract/mcp/prompts.ts';

export const DEVICE_PROMPTS: readonly Prompt[] = [
  {
    name: 'submit_and_improve',
    title: 'Submit and tell me what to improve',
    description: 'Shows what would become public, submits it if you agree, and suggests changes.',
    input: z.strictObject({}),
    text: () =>
      steps('Submit my newest token counts, and tell me what to improve.', [
        'Call submit_verified with dry_run, and show me what would become public: days, tools, models and tokens. If there is nothing to send, say so and continue with step 4.',
        'Ask me whether to submit, and wait for my answer.',
        'If I agree, call submit_verified.',
        'Call status, and tell me my rank with its range, or what is missing for a rank, and when the board will include new days.',
        'Call self_improve, and name the one or two changes of habit that would gain most, with what each of them costs.',
        'If a step fails, call doctor and explain its advice.',
      ]),
  },
  {
    ...COMPARE,
    text: (given) =>
      steps('Compare me with another operator.', [
        peerStep(given),
        'Call status for my own rank.',
        EXPLAIN_PEER,
      ]),
  },
  {
    ...LAST_WEEK,
    text: () =>
      steps('Explain my last week with AI assistants.', [
        'Call scan with days 14: the newest seven days are the last week, the others the week before.',
        'Call self_improve with days 14, and status.',
        'Compare both weeks: tokens, tools, models and yield. Say which days differed most and why, how sure that is, and whether my rank changed.',
      ]),
  },
];
