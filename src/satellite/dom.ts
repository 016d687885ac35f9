/** Creates elements. Texts are never parsed as HTML. */

type Attributes = Readonly<Record<string, string | null>>;

export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly (Node | string | null)[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** @throws {Error} if the page has no such element. */
export function elementOf(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}`);
  return found;
}
