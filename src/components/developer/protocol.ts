/** The specification of the device protocol: `protocol.md`. */
import { type TextFacts, type TextSection, sectionsIn } from '../text/markdown-text.ts';
import source from './protocol.md?raw';

/** @throws {Error} if the text names a fact that is not given. */
export function protocolSections(facts: TextFacts): TextSection[] {
  return sectionsIn(source, facts);
}
