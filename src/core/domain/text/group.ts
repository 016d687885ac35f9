/** Groups items by key, in the order in which the keys first appear. Node.js 20 has no `Map.groupBy`. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  groups = new Map<Key, Item[]>(),
): Map<Key, Item[]> {
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
