/** The tools that first need input from the client, and are then called again with it. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type ServerContext,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type Tools, says, text } from './content.ts';

/** Seals the state that a tool stores with its client. */
export const STATE = createRequestStateCodec<{ round: number }>({ key: 'k'.repeat(32) });

/** The client's capabilities, which are part of each request. */
export function capabilitiesOf({ envelope }: ServerContext['mcpReq']): ClientCapabilities {
  return (envelope as Partial<Record<string, object>>)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

function form(message: string, name: string, value: z.ZodType = z.string()) {
  return inputRequired.elicit({ message, requestedSchema: z.object({ [name]: value }) });
}

function sample(question: string) {
  const content = text(question);
  return inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens: 100 });
}

/** Whether the client provided all requested input. */
function has({ mcpReq }: ServerContext, asked: InputRequests): boolean {
  return Object.keys(asked).every((key) => mcpReq.inputResponses?.[key] !== undefined);
}

const NAME = { user_name: form('What is your name?', 'name') };
const CAPITAL = { capital_question: sample('What is the capital of France?') };
const ROOTS = { client_roots: inputRequired.listRoots() };
const ALL = { ...NAME, greeting: sample('Generate a greeting'), ...ROOTS };
const CONFIRM = { confirm: form('Please confirm', 'ok', z.boolean()) };
const STEPS = [
  { step1: form('Step 1: What is your name?', 'name') },
  { step2: form('Step 2: What is your favorite color?', 'color') },
];

/** Requests input, and continues when it is provided. */
const once = (inputRequests: InputRequests) => (ctx: ServerContext) =>
  has(ctx, inputRequests) ? says(text('Heard')) : inputRequired({ inputRequests });

/** The same with stored state, which the server has verified before. */
const sealed = (inputRequests: InputRequests) => async (ctx: ServerContext) => {
  const isBack = ctx.mcpReq.requestState<{ round: number }>()?.round === 1;
  if (isBack && has(ctx, inputRequests)) return says(text('state-ok'));
  return inputRequired({ inputRequests, requestState: await STATE.mint({ round: 1 }) });
};

export const ASKING: Tools = {
  test_input_required_result_elicitation: ({ mcpReq }) => {
    const { name } = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name') ?? {};
    return name === undefined
      ? inputRequired({ inputRequests: NAME })
      : says(text(`Hello, ${name}!`));
  },
  test_streaming_elicitation: once(NAME),
  test_input_required_result_sampling: once(CAPITAL),
  test_input_required_result_list_roots: once(ROOTS),
  test_input_required_result_request_state: sealed(CONFIRM),
  test_input_required_result_tampered_state: sealed(CONFIRM),
  test_input_required_result_multiple_inputs: sealed(ALL),
  test_input_required_result_multi_round: async (ctx) => {
    const { round } = ctx.mcpReq.requestState<{ round: number }>() ?? { round: 0 };
    const inputRequests = STEPS[round];
    if (!inputRequests) return says(text('Both heard'));
    return inputRequired({ inputRequests, requestState: await STATE.mint({ round: round + 1 }) });
  },
  test_input_required_result_capabilities: ({ mcpReq }) => {
    const can = capabilitiesOf(mcpReq);
    const inputRequests = { ...(can.elicitation && NAME), ...(can.sampling && CAPITAL) };
    return inputRequired({ inputRequests });
  },
};
