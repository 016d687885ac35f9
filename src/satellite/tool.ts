/** The tool's result, in the format of the board's MCP server. */
import type { PageToolDefinition } from '#core/contract/satellite.ts';
import {
  type ToolAnswer,
  type ToolError,
  WrongArguments,
  answerOf,
  unknownArgument,
} from '#core/contract/mcp/tool-answers.ts';
import type { Access, PeersAnswer } from './answers.ts';

export interface PageTool extends PageToolDefinition {
  execute(input: unknown): Promise<ToolAnswer>;
}

class ToldError extends Error {
  readonly told: ToolError;

  constructor(told: ToolError) {
    super(told.message);
    this.told = told;
  }
}

/**
 * The tool that requests the signed-in operator's peers. `onAnswer` receives the answer and the requested number of
 * peers in each group, or null. It never rejects, because browsers do not pass the reason to agents.
 */
export function toolOver(
  definition: PageToolDefinition,
  access: Access,
  onAnswer: (answer: PeersAnswer, limit: string | null) => void,
): PageTool {
  const call = async (input: unknown) => {
    const query = queryOf(definition, input);
    const answer = await access.peers(query);
    onAnswer(answer, query.get('limit'));
    return peersIn(answer);
  };
  return { ...definition, execute: (input) => answerOf(() => call(input), told) };
}

/**
 * The query for the API. Browsers do not check an agent's arguments against the schema; the board checks the
 * values.
 *
 * @throws {WrongArguments} for an unknown argument.
 */
function queryOf({ inputSchema }: PageToolDefinition, input: unknown): URLSearchParams {
  const given = Object.entries(input ?? {});
  const known = Object.keys(inputSchema['properties'] ?? {});
  const strange = given.find(([key]) => !known.includes(key));
  if (strange) throw new WrongArguments([unknownArgument([strange[0]])], known);
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
}

/** @throws {ToldError} if the board returned no peers. */
function peersIn(answer: PeersAnswer): object {
  switch (answer.kind) {
    case 'peers':
      return answer.peers;
    case 'signed-out':
      throw new ToldError({
        code: 'unauthenticated',
        message: 'Only an operator who is signed in on this page can get peers',
        hint: 'Ask the person to choose "Sign in" on this page, then call the tool again.',
      });
    case 'refused': {
      const { code, detail, hint } = answer.refusal;
      throw new ToldError({ code, message: detail, hint });
    }
  }
}

function told(error: unknown): ToolError {
  if (error instanceof ToldError) return error.told;
  return { code: 'internal_error', message: 'The page failed', hint: 'Reload the page.' };
}
