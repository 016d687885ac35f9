/** The results of the tools, prompts and resources of the conformance suite's server. */
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';

type ToolAnswer = CallToolResult | InputRequiredResult;

/** What each tool does, by its name. */
export type Tools = Readonly<
  Record<string, (ctx: ServerContext) => Promise<ToolAnswer> | ToolAnswer>
>;

/** One transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A header without samples: 8 kHz, one channel, 8 bits. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
export const AUDIO = { type: 'audio', data: WAV, mimeType: 'audio/wav' } as const;
export const BLOB = { blob: PNG, mimeType: 'image/png' } as const;

export function text(words: string) {
  return { type: 'text' as const, text: words };
}

/** A resource inside a result. */
export function embedded(uri: string, mimeType: string, words: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: words } };
}

/** A tool's result. */
export function says(...content: CallToolResult['content']): CallToolResult {
  return { content };
}
