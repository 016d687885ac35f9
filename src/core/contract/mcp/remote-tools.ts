/** The tools of a board's own MCP server, in the order in which they are listed: reads for anyone, then the caller's own. */
import { OWN_TOOLS } from './own-tools.ts';
import { PUBLIC_TOOLS } from './public-tools.ts';

export const BOARD_TOOLS = [...PUBLIC_TOOLS, ...OWN_TOOLS] as const;
