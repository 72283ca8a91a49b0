/** Why a claim gets a volume or does not, and what becomes of a volume. */
export type StorageReason =
  | { readonly reason: 'isGone' }
  | { readonly reason: 'changedMeanwhile' }
  | { readonly reason: 'claimNeedsNothing' }
  /** Its class has another provisioner, it has no class, or it names a volume. */
  | { readonly reason: 'claimIsLeftToOthers' }
  | { readonly reason: 'claimWaitsForConsumer' }
  | { readonly reason: 'claimIsOnOtherNode'; readonly nodeName: string }
  | { readonly reason: 'claimIsBound'; readonly volume: string }
  | { readonly reason: 'volumeNeedsNothing' }
  | { readonly reason: 'volumeIsKept' }
  | { readonly reason: 'volumeGoesWithClaim'; readonly claim: string };
