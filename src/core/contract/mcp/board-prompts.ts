/** The prompts of a board's MCP server. */
import * as z from 'zod';
import { COMPARE, EXPLAIN_PEER, LAST_WEEK, type Prompt, peerStep, steps } from './prompts.ts';

export const BOARD_PROMPTS: readonly Prompt[] = [
  {
    name: 'what_to_improve',
    title: 'Tell me what to improve',
    description: 'Your rank, the days that lowered your yield, and what to change.',
    input: z.strictObject({}),
    text: () =>
      steps('Tell me where I am on this board and what to improve.', [
        'Call my_operator, and tell me my rank with its range, or what is missing for a rank.',
        'Call self_improve, and name the one or two changes of habit that would gain most, with what each of them costs.',
      ]),
  },
  {
    ...COMPARE,
    text: (given) =>
      steps('Compare me with another operator of this board.', [
        peerStep(given),
        'Call get_operator for that operator, and my_operator for me.',
        EXPLAIN_PEER,
      ]),
  },
  {
    ...LAST_WEEK,
    text: () =>
      steps('Explain my last week on this board.', [
        'Call my_operator for my codename, rank and notices.',
        'Call get_operator_history with my codename and window 30d. If I have no public page, skip this step and say so.',
        'Call self_improve with days 14.',
        'Compare the last seven days with the seven before: tokens, yield and rank. Say which days differed most and why, and how sure that is.',
      ]),
  },
];
