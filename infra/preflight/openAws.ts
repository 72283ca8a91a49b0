import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { UsageError } from '../host/UsageError.ts';
import type { AccountReads } from './AccountReads.ts';
import { AwsAccountReads } from './AwsAccountReads.ts';
import type { AwsSettings } from './AwsSettings.ts';
import type { Caller } from './Caller.ts';

/** Somebody waits, so a service that does not answer ends one check soon. */
const PATIENCE = { maxAttempts: 3, requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000 } };

/** The variables in which the CDK looks for a region, in its order. The SDK looks in the first one and in the profile. */
const REGION_VARIABLES = ['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'];
/** The region that `cdk deploy` takes if none is set. */
const DEFAULT_REGION = 'us-east-1';

/** The account's reads, and who asks. */
export interface OpenAws {
  readonly account: AccountReads;
  readonly caller: Caller;
  /** What further clients of the SDK get. */
  readonly settings: AwsSettings & { readonly region: string };
}

/** Finds credentials, and the region unless it is given, as `cdk deploy` does. Throws a UsageError if there are none, or if AWS does not accept them. */
export async function openAws(profile: string | undefined, givenRegion?: string): Promise<OpenAws> {
  const written = givenRegion ?? REGION_VARIABLES.map((name) => process.env[name]).find(Boolean);
  const settings: AwsSettings = {
    ...PATIENCE,
    ...(profile !== undefined && { profile }),
    ...(written !== undefined && { region: written }),
  };
  const region = await regionOf(new STSClient(settings));
  const found = { ...settings, region };
  const caller = await identify(new STSClient(found), region);
  return { account: new AwsAccountReads(found), caller, settings: found };
}

async function regionOf(sts: STSClient): Promise<string> {
  try {
    return await sts.config.region();
  } catch {
    return DEFAULT_REGION;
  }
}

async function identify(sts: STSClient, region: string): Promise<Caller> {
  try {
    const { Account = '', Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
    return { account: Account, arn: Arn, region };
  } catch (error) {
    const { name, message } = error as Error;
    throw new UsageError(
      `AWS in ${region} does not know who asks (${name}: ${message}); set credentials, or --profile`,
      {
        cause: error,
      },
    );
  }
}
