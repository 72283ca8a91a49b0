/** A watch that is about to be opened. */
export interface WatchRequest {
  /** Who watches, by name. Slots are shared evenly among users. */
  readonly user: string;
  /** It watches one object, as `kubectl rollout status` and `kubectl wait` do: somebody waits for it. */
  readonly isOfOne: boolean;
  readonly lifetimeMs: number;
  /** Called once if another watch has taken the slot, which the watch's end must then follow. It learns that within some seconds. */
  readonly onTaken: () => void;
}

/** The outcome of asking for a slot. */
export type SlotClaim =
  /** The slot is the caller's until `release`, until its time is over, or until another watch takes it. */
  | { readonly status: 'claimed'; readonly release: () => Promise<void> }
  /** All slots are taken, by watches that may go on for a moment. One of them is free after `retryAfterMs`, or earlier. */
  | { readonly status: 'full'; readonly retryAfterMs: number };

/**
 * The watches that may be open at the same time, in all processes together. A slot that is not released, because its process died, is free again when its time is over. Nobody is told when a client has gone, so a new
 * watch may take the slot of an older one: of the user who has most, the one that began first. A client that resumes its watches goes on; one that does not, such as `kubectl get -w` or a log that is followed, ends.
 */
export interface WatchSlots {
  /** Claims a slot, a free one if there is any. */
  claim(watch: WatchRequest): Promise<SlotClaim>;
}
