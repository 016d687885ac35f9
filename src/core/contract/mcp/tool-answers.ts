/**
 * How every MCP server of ours reads what a tool is given, and tells what came of it. The shapes are
 * those of the protocol's CallToolResult.
 *
 * @module
 */
import * as z from 'zod';
import type { Fault } from '#core/domain/text/errors.ts';
import { IN_WORDS, MAX_FAULTS, faultsOf, pointerOf } from '#core/domain/text/faults.ts';

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
  readonly faults: readonly Fault[];
  /** The arguments that the tool takes, where one that it does not take was given; else null. */
  readonly known: readonly string[] | null;

  constructor(faults: readonly Fault[], known: readonly string[] | null = null) {
    super(
      faults
        .map(({ pointer, detail }) => `${pointer.slice(2) || 'arguments'}: ${detail}`)
        .join('; '),
    );
    this.faults = faults;
    this.known = known;
  }
}

/** A fault of an argument that the tool does not take. */
export function unknownArgument(path: readonly PropertyKey[]): Fault {
  return { pointer: pointerOf(path), code: 'unrecognized_keys', detail: 'is not taken' };
}

/**
 * The arguments of a call as the tool's schema types them; none are as good as an empty object.
 *
 * @throws {WrongArguments} if they do not fit it, with at most 20 of the places where.
 */
export function argumentsOf(input: z.ZodObject, given: unknown): Record<string, unknown> {
  const read = input.safeParse(given ?? {}, IN_WORDS);
  if (read.success) return read.data;
  const { issues } = read.error;
  const isUnknown = issues.some(({ code, path }) => code === 'unrecognized_keys' && !path.length);
  const known = isUnknown ? Object.keys(input.shape) : null;
  throw new WrongArguments(issues.flatMap(faultsIn).slice(0, MAX_FAULTS), known);
}

/** One for each argument that is not taken, where zod has one for all of an object. */
function faultsIn(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== 'unrecognized_keys') return faultsOf([issue]);
  return issue.keys.map((key) => unknownArgument([...issue.path, key]));
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

function wrongArguments({ message, faults, known }: WrongArguments): ToolError {
  const hint =
    known === null ? 'The input schema of the tool says what it takes.' : knownText(known);
  return { code: 'arguments_invalid', message, hint, errors: faults };
}

function knownText(known: readonly string[]): string {
  return known.length === 0 ? 'It takes no arguments.' : `It takes ${known.join(', ')}.`;
}

function textOf(value: unknown): TextBlock {
  return { type: 'text', text: JSON.stringify(value) };
}
