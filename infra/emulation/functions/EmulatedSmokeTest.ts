import { randomUUID } from 'node:crypto';
import type { IsPermitted } from '../iam/isAllowed.ts';
import type { KnownIdentity } from '../identity/EmulatedSts.ts';
import { EmulatedCloudFormation, type ResourceAnswer } from '../services/EmulatedCloudFormation.ts';
import type { SmokeTestSpec } from '../template/readSmokeTest.ts';
import { ExecutionEnvironment, type SharedParts } from './ExecutionEnvironment.ts';

export interface EmulatedSmokeTestParts {
  readonly spec: SmokeTestSpec;
  readonly sharedParts: SharedParts;
  /** The session that the function has by its role. */
  readonly session: KnownIdentity;
  readonly isPermitted: IsPermitted;
  /** The URL of the API with its stage, on this machine. */
  readonly apiUrl: string;
}

/** The custom resource of the smoke test, as CloudFormation runs it at a deployment. */
export class EmulatedSmokeTest {
  readonly #parts: EmulatedSmokeTestParts;
  readonly #cloudFormation: EmulatedCloudFormation;
  readonly #environment: ExecutionEnvironment;

  private constructor(
    parts: EmulatedSmokeTestParts,
    cloudFormation: EmulatedCloudFormation,
    environment: ExecutionEnvironment,
  ) {
    this.#parts = parts;
    this.#cloudFormation = cloudFormation;
    this.#environment = environment;
  }

  static async open(parts: EmulatedSmokeTestParts): Promise<EmulatedSmokeTest> {
    const { spec, sharedParts, session, isPermitted } = parts;
    // The access key names the session to STS, and the function to IAM.
    const cloudFormation = await EmulatedCloudFormation.open((caller, ...asked) =>
      isPermitted(caller === session.accessKeyId ? spec.function.logicalId : caller, ...asked),
    );
    const variables = {
      ...sharedParts.variables,
      AWS_ACCESS_KEY_ID: session.accessKeyId,
      AWS_SECRET_ACCESS_KEY: session.secretAccessKey,
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.endpoint,
    };
    const environment = await ExecutionEnvironment.start(spec.function, { ...sharedParts, variables });
    return new EmulatedSmokeTest(parts, cloudFormation, environment);
  }

  /** Runs the test as the last step of the stack's creation. Rejects with its reason if it fails. */
  async deploy(): Promise<void> {
    const { Status, Reason } = await this.run('Create', 'CREATE_IN_PROGRESS');
    if (Status === 'FAILED') throw new Error(`the deployment failed: ${Reason}`);
  }

  /** Sends the request of a deployment, while the stack has this status. Resolves to the resource's answer; rejects if the function fails without one. */
  async run(RequestType: 'Create' | 'Update' | 'Delete', status: string): Promise<ResourceAnswer> {
    const { spec, apiUrl } = this.#parts;
    this.#cloudFormation.status = status;
    const answered = this.#cloudFormation.nextAnswer();
    const event = {
      RequestType,
      ResponseURL: this.#cloudFormation.answerUrl,
      StackId: spec.stackId,
      RequestId: randomUUID(),
      LogicalResourceId: spec.logicalId,
      ResourceType: 'Custom::SmokeTest',
      ResourceProperties: { ...spec.properties, ApiUrl: apiUrl },
    };
    const ended = await this.#environment.invoke(JSON.stringify(event), () => Promise.resolve());
    if (ended.status === 'failed') throw new Error(`the smoke test has no answer: ${ended.failure.errorMessage}`);
    return await answered;
  }

  async close(): Promise<void> {
    await Promise.all([this.#environment.terminate(), this.#cloudFormation.close()]);
  }
}
