/** The outcome of asking for a slot. */
export type SlotClaim =
  /** The slot is the caller's until `release`, or until its time is over. */
  | { readonly status: 'claimed'; readonly release: () => Promise<void> }
  /** All slots are taken; one of them is free after `retryAfterMs`, or earlier. */
  | { readonly status: 'full'; readonly retryAfterMs: number };

/** The watches that may be open at the same time, in all processes together. A slot that is not released, because its process died, is free again when its time is over. */
export interface WatchSlots {
  /** Claims a slot for at most `lifetimeMs`. */
  claim(lifetimeMs: number): Promise<SlotClaim>;
}
