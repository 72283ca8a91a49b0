/** Who asks, and where. */
export interface Caller {
  readonly account: string;
  /** As STS reports it: `arn:aws:sts::111122223333:assumed-role/Deployer/session`. */
  readonly arn: string;
  readonly region: string;
}
