/** What every client of the SDK gets. */
export interface AwsSettings {
  readonly profile?: string;
  readonly region?: string;
  readonly maxAttempts: number;
  readonly requestHandler: { readonly connectionTimeout: number; readonly requestTimeout: number };
}
