// Sets without a redundant member.

/**
 * A part of the list with which `holds` is true, but not without any one of its members. It is true
 * of the list, and of every list that has all members of one of which it is true. The last members
 * are left out first, and many at once.
 */
export async function minimal(all, holds) {
  let kept = all;
  for (let size = Math.ceil(all.length / 2); size; size = Math.floor(size / 2)) {
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = [...kept.slice(0, Math.max(end - size, 0)), ...kept.slice(end)];
      if (await holds(fewer)) kept = fewer;
    }
  }
  return kept;
}
