/**
 * Reads the arguments and writes the results of tool calls, for all MCP servers of this project. Results have the
 * shape of the protocol's CallToolResult.
 *
 * @module
 */
import * as z from 'zod';
import type { Fault } from '#core/domain/text/errors.ts';
import { IN_WORDS, MAX_FAULTS, faultsOf, pointerOf } from '#core/domain/text/faults.ts';

/** Why a call failed, as an agent sees it. */
export interface ToolError {
  code: string;
  message: string;
  hint: string | null;
  /** The individual faults in the arguments. */
  errors?: readonly Fault[];
}

interface TextBlock {
  type: 'text';
  text: string;
}

/** The result of a call. */
export interface ToolAnswer {
  [member: string]: unknown;
  content: TextBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** Arguments that do not match the input schema of a tool. */
export class WrongArguments extends Error {
  readonly faults: readonly Fault[];
  /** The arguments that the tool accepts, if an unknown one was given; else null. */
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

/** Returns the fault for an unknown argument. */
export function unknownArgument(path: readonly PropertyKey[]): Fault {
  return { pointer: pointerOf(path), code: 'unrecognized_keys', detail: 'is unknown' };
}

/**
 * Returns the arguments of a call as the tool's schema types them. Missing arguments count as an empty object.
 *
 * @throws {WrongArguments} with at most 20 faults if they do not match.
 */
export function argumentsOf(input: z.ZodObject, given: unknown): Record<string, unknown> {
  const read = input.safeParse(given ?? {}, IN_WORDS);
  if (read.success) return read.data;
  const { issues } = read.error;
  const isUnknown = issues.some(({ code, path }) => code === 'unrecognized_keys' && !path.length);
  const known = isUnknown ? Object.keys(input.shape) : null;
  throw new WrongArguments(issues.flatMap(faultsIn).slice(0, MAX_FAULTS), known);
}

/** Returns one fault for each unknown argument. zod reports all those of an object in one issue. */
function faultsIn(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== 'unrecognized_keys') return faultsOf([issue]);
  return issue.keys.map((key) => unknownArgument([...issue.path, key]));
}

/**
 * Runs a call and returns its result as structured content and as text.
 *
 * @param explain Converts errors other than wrong arguments.
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
    // No structured content: it would have to match the output schema.
    return { content: [textOf(told)], isError: true };
  }
}

function wrongArguments({ message, faults, known }: WrongArguments): ToolError {
  const hint = known === null ? 'See the input schema of the tool.' : knownText(known);
  return { code: 'arguments_invalid', message, hint, errors: faults };
}

function knownText(known: readonly string[]): string {
  return known.length === 0
    ? 'The tool has no arguments.'
    : `The arguments are ${known.join(', ')}.`;
}

function textOf(value: unknown): TextBlock {
  return { type: 'text', text: JSON.stringify(value) };
}
