/** Drawings as what they say of themselves. */
import type { Element, ElementContent } from 'hast';
import { elementOf, isElement, textIn, textOf } from './tree.ts';

/** What a drawing is of and what it shows; nothing of one that says nothing. */
export function drawingText({ properties, children }: Element): ElementContent[] {
  const label = properties['ariaLabel'];
  const told = ['title', 'desc'].map((name) => {
    const element = children.find((child) => isElement(child) && child.tagName === name);
    return element ? textIn(element).trim() : '';
  });
  const sentences = [typeof label === 'string' ? label.trim() : '', ...told].filter(Boolean);
  if (sentences.length === 0) return [];
  return [elementOf('span', [textOf(sentences.map(asSentence).join(' '))])];
}

function asSentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}
