/** The data that the page of the companion site passes to its program. */
import { listedBoardTool } from './mcp/board-tool.ts';
import { discoverPeersTool } from './mcp/board-tools.ts';

/** A WebMCP tool. Browsers accept no output schema. */
export interface PageToolDefinition {
  name: string;
  title: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: Readonly<Record<string, unknown>>;
  annotations: {
    readOnlyHint: boolean;
    /** Whether answers contain text written by other people. */
    untrustedContentHint: boolean;
  };
}

/** The OAuth client settings of a companion site on another host, where the board's cookie is not available. */
export interface SatelliteClient {
  /** The client ID. */
  id: string;
  /** The provider's issuer. */
  issuer: string;
  /** The URL of the site's page, where the provider redirects to. */
  redirect_uri: string;
  /** The audience of the token: the URL of the API. */
  resource: string;
}

export interface SatelliteData {
  /** The base URL of the board without a trailing slash; empty on the board itself. */
  board: string;
  /** Null on the board itself, where the session cookie is enough. */
  client: SatelliteClient | null;
  tool: PageToolDefinition;
}

/** Returns `discover_peers` as a WebMCP tool. */
export function pageTool(): PageToolDefinition {
  // The page only queries its own board.
  const input = discoverPeersTool.input.omit({ board: true });
  const listed = listedBoardTool({ ...discoverPeersTool, input });
  const { name, title, description, inputSchema } = listed;
  const { readOnlyHint } = discoverPeersTool.annotations;
  const annotations = { readOnlyHint, untrustedContentHint: true };
  return { name, title, description, inputSchema, annotations };
}
