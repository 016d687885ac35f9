/** The schemas of answers, which the lists of tools leave out. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import type { Tool } from '#core/contract/mcp/tools.ts';

/** The JSON Schema of the answers of a tool. */
export function outputSchemaOf({ output }: Pick<Tool, 'output'>): object {
  return z.toJSONSchema(output, { io: 'output' });
}

/** Returns a function that says what is wrong with an answer of a tool; null if nothing is. */
export function answerCheck(tools: readonly Pick<Tool, 'name' | 'output'>[]) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const checks = new Map(tools.map((tool) => [tool.name, ajv.compile(outputSchemaOf(tool))]));
  return (name: string, answer: unknown): string | null => {
    const check = checks.get(name);
    if (!check) return `There is no tool ${name}`;
    return check(answer) ? null : ajv.errorsText(check.errors);
  };
}
