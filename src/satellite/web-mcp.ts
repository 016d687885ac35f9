/**
 * Tools for browser agents.
 *
 * @see {@link https://webmachinelearning.github.io/webmcp/ | WebMCP}
 * @module
 */
import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill';
import type { PageTool } from './tool.ts';

/** How a tool is offered: through the browser's own interface, a polyfill, or not at all. */
export type Offer = 'native' | 'none' | 'polyfill';

interface ModelContext {
  registerTool(tool: PageTool): Promise<void>;
}

/** Where agents look: the current draft's name, and its predecessor. */
const PLACES: readonly { modelContext?: ModelContext }[] = [
  document as { modelContext?: ModelContext },
  navigator as { modelContext?: ModelContext },
];

/** Offers a tool until the page is closed, also after it returns from the back/forward cache. */
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
    // The page is in a frame without permission, or was not served over HTTPS.
    return 'none';
  }
}

function contextThere(): ModelContext | undefined {
  return PLACES.find(({ modelContext }) => modelContext)?.modelContext;
}

function putWhereMissing(context: ModelContext): void {
  for (const place of PLACES) {
    // The polyfill logs a warning when the old name is read.
    if ('modelContext' in place) continue;
    Object.defineProperty(place, 'modelContext', { configurable: true, get: () => context });
  }
}
