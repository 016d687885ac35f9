/** The server that the conformance suite expects, with everything that a server can have, under the suite's names. */
import {
  McpServer,
  ResourceTemplate,
  acceptedContent,
  completable,
  inputRequired,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { STATE } from './asking.ts';
import { BLOB, IMAGE, embedded, text } from './content.ts';
import { registerTools } from './tools.ts';

const KEPT = { ttlMs: 1000, cacheScope: 'public' } as const;

export function fixtureServer(): McpServer {
  const mcp = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      // There are no change notifications, as on the board, so no response stays open.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        logging: {},
        completions: {},
      },
      cacheHints: {
        'tools/list': KEPT,
        'prompts/list': KEPT,
        'resources/list': KEPT,
        'resources/templates/list': KEPT,
        'resources/read': KEPT,
      },
      requestState: { verify: STATE.verify },
    },
  );
  registerTools(mcp);
  registerPrompts(mcp);
  registerResources(mcp);
  return mcp;
}

function asked(
  ...contents: (typeof IMAGE | ReturnType<typeof embedded> | ReturnType<typeof text>)[]
) {
  return { messages: contents.map((content) => ({ role: 'user' as const, content })) };
}

const TOLD = { description: 'The suite asks for it by its name' };

function registerPrompts(mcp: McpServer): void {
  const word = completable(z.string(), () => ['testing']);
  mcp.registerPrompt('test_simple_prompt', TOLD, () => asked(text('A simple prompt.')));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    { ...TOLD, argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    ({ arg1, arg2 }) => asked(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...TOLD, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => asked(embedded(resourceUri, 'text/plain', 'Content.'), text('Read it.')),
  );
  mcp.registerPrompt('test_prompt_with_image', TOLD, () => asked(IMAGE, text('Look at it.')));
  mcp.registerPrompt('test_input_required_result_prompt', TOLD, ({ mcpReq }) => {
    const heard = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (heard) return asked(text(heard.context));
    const requestedSchema = z.object({ context: z.string() });
    const message = 'What context should the prompt use?';
    const inputRequests = { user_context: inputRequired.elicit({ message, requestedSchema }) };
    return inputRequired({ inputRequests });
  });
}

function registerResources(mcp: McpServer): void {
  const TEXT = { mimeType: 'text/plain', description: 'A text that never changes' };
  mcp.registerResource('static-text', 'test://static-text', TEXT, ({ href }) => {
    return { contents: [{ uri: href, mimeType: TEXT.mimeType, text: 'A static text.' }] };
  });
  const PICTURE = { mimeType: BLOB.mimeType, description: 'A picture that never changes' };
  mcp.registerResource('static-binary', 'test://static-binary', PICTURE, ({ href }) => {
    return { contents: [{ uri: href, ...BLOB }] };
  });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const JSON_TEXT = { mimeType: 'application/json', description: 'What its address says' };
  mcp.registerResource('template', template, JSON_TEXT, ({ href }, { id }) => {
    return { contents: [{ uri: href, ...JSON_TEXT, text: JSON.stringify({ id }) }] };
  });
}
