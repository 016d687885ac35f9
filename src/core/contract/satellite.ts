/** What the companion site's page is made with, and its program reads from it. */
import { listedBoardTool } from './mcp/board-tool.ts';
import { discoverPeersTool } from './mcp/board-tools.ts';

/** The tool as the page offers it to agents of the browser, which take no schema of what comes out. */
export interface PageToolDefinition {
  name: string;
  title: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: Readonly<Record<string, unknown>>;
  annotations: {
    readOnlyHint: boolean;
    /** Holds words that strangers chose. */
    untrustedContentHint: boolean;
  };
}

/** How the site signs a person in where no cookie of the board reaches it: as a public client. */
export interface SatelliteClient {
  /** What the provider calls the site. */
  id: string;
  /** The provider's issuer. */
  issuer: string;
  /** The address of the site's page, to which the provider leads back. */
  redirect_uri: string;
  /** Whom the token is for: the address of the API. */
  resource: string;
}

export interface SatelliteData {
  /** The board's address without slash at its end; empty on the board itself. */
  board: string;
  /** Null on the board itself, where the session's cookie is enough. */
  client: SatelliteClient | null;
  tool: PageToolDefinition;
}

/** The tool of the contract, for browsers. */
export function pageTool(): PageToolDefinition {
  // The page asks its own board only.
  const input = discoverPeersTool.input.omit({ board: true });
  const listed = listedBoardTool({ ...discoverPeersTool, input });
  const { name, title, description, inputSchema } = listed;
  const { readOnlyHint } = discoverPeersTool.annotations;
  const annotations = { readOnlyHint, untrustedContentHint: true };
  return { name, title, description, inputSchema, annotations };
}
