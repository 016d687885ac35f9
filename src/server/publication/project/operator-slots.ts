/** The slots of operators by ID. */
export function slotsOf({ ids }: { ids: Uint32Array }): Map<number, number> {
  const slots = new Map<number, number>();
  // Slots of accounts that are gone have no ID.
  for (const [slot, id] of ids.entries()) if (id !== 0) slots.set(id, slot);
  return slots;
}
