/**
 * Tools for agents in the browser.
 *
 * @see {@link https://webmachinelearning.github.io/webmcp/ | WebMCP}
 * @module
 */
import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill';
import type { PageTool } from './tool.ts';

/** How the tool is offered: through the browser's own interface, through the page's polyfill, or not at all. */
export type Offer = 'native' | 'none' | 'polyfill';

interface ModelContext {
  registerTool(tool: PageTool): Promise<void>;
}

/** The objects that agents use: the one in the current draft, and the earlier one. */
const PLACES: readonly { modelContext?: ModelContext }[] = [
  document as { modelContext?: ModelContext },
  navigator as { modelContext?: ModelContext },
];

/** Offers a tool for the lifetime of the page. */
export async function offerTool(tool: PageTool): Promise<Offer> {
  const isNative = contextThere() !== undefined;
  try {
    if (!isNative) initializeWebMCPPolyfill();
    const context = contextThere();
    if (!context) return 'none';
    putWhereMissing(context);
    await context.registerTool(tool);
    return isNative ? 'native' : 'polyfill';
  } catch {
    // The page is in a frame without permission, or was not loaded over https.
    return 'none';
  }
}

function contextThere(): ModelContext | undefined {
  return PLACES.find(({ modelContext }) => modelContext)?.modelContext;
}

function putWhereMissing(context: ModelContext): void {
  for (const place of PLACES) {
    // The polyfill logs a warning when the old name is read, so it is not replaced.
    if ('modelContext' in place) continue;
    Object.defineProperty(place, 'modelContext', { configurable: true, get: () => context });
  }
}
