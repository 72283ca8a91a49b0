/** A request that the cluster's API refused, with what its Status says. */
export class ClusterRequestError extends Error {
  readonly code: number;
  /** `NotFound`, `Conflict`, `Invalid`, …; empty if the API gave none. */
  readonly reason: string;
  /** The Status as it was answered. */
  readonly status: unknown;

  constructor(request: string, status: unknown) {
    const { code = 0, reason = '', message = 'refused' } = Object(status) as Partial<ClusterRequestError>;
    super(`${request}: ${message}`);
    this.name = 'ClusterRequestError';
    this.code = code;
    this.reason = reason;
    this.status = status;
  }
}
