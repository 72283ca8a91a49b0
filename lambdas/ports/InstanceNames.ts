/** Knows the machines that IAM's instance profiles speak for. */
export interface InstanceNames {
  /**
   * Resolves to an instance's private DNS name in lower case, such as `ip-10-0-1-5.eu-central-1.compute.internal`. It never changes, so an implementation may remember it. `undefined` if the account has no such
   * instance in the region, or one that was terminated. Rejects if that cannot be found out.
   */
  privateDnsNameOf(instanceId: string): Promise<string | undefined>;
}
