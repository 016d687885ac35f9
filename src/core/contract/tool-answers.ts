/**
 * How every MCP server of ours reads what a tool is given, and tells what came of it. The shapes are
 * those of the protocol's CallToolResult.
 *
 * @module
 */
import type * as z from 'zod';
import type { Fault } from '../domain/errors.ts';

/** Why a call did not do its work, as an agent reads it. */
export interface ToolError {
  code: string;
  message: string;
  hint: string | null;
  /** Single places of what was given. */
  errors?: readonly Fault[];
}

interface TextBlock {
  type: 'text';
  text: string;
}

/** What a call is answered with. */
export interface ToolAnswer {
  [member: string]: unknown;
  content: TextBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** Arguments that do not fit the input schema of a tool. */
export class WrongArguments extends Error {
  constructor({ issues }: Pick<z.ZodError, 'issues'>) {
    super(
      issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('; '),
    );
  }
}

/**
 * The arguments of a call as the tool's schema types them; none are as good as an empty object.
 *
 * @throws {WrongArguments} if they do not fit it.
 */
export function argumentsOf(input: z.ZodObject, given: unknown): Record<string, unknown> {
  const read = input.safeParse(given ?? {});
  if (read.success) return read.data;
  throw new WrongArguments(read.error);
}

/**
 * Runs a call and tells what came of it: structured for clients that read it, and the same as text.
 *
 * @param explain What an error is told as; it hears of none of the arguments.
 */
export async function answerOf(
  call: () => Promise<unknown>,
  explain: (error: unknown) => ToolError,
): Promise<ToolAnswer> {
  try {
    const structuredContent = (await call()) as Record<string, unknown>;
    return { content: [textOf(structuredContent)], structuredContent };
  } catch (error) {
    const told = error instanceof WrongArguments ? wrongArguments(error) : explain(error);
    // Structured content would have to be what the tool promises to give.
    return { content: [textOf(told)], isError: true };
  }
}

function wrongArguments({ message }: WrongArguments): ToolError {
  const hint = 'The input schema of the tool says what it takes.';
  return { code: 'arguments_invalid', message, hint };
}

function textOf(value: unknown): TextBlock {
  return { type: 'text', text: JSON.stringify(value) };
}
