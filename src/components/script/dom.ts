/** Short forms of what the browser names at length, because the script of all pages has a size limit. */

export function find<Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found | null {
  return within.querySelector<Found>(selector);
}

export function findAll<Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found[] {
  return [...within.querySelectorAll<Found>(selector)];
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}

export function listen<Type extends keyof GlobalEventHandlersEventMap>(
  target: GlobalEventHandlers,
  type: Type,
  act: (event: GlobalEventHandlersEventMap[Type]) => void,
): void {
  target.addEventListener(type, act);
}

export function makeButton(
  textContent: string,
  act: () => void,
  className = 'plain-button',
): HTMLButtonElement {
  const button = make('button', { type: 'button', className, textContent });
  listen(button, 'click', act);
  return button;
}
