/** A function as the template describes it, its references resolved. */
export interface DeployedFunction {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** The directory of its asset. */
  readonly directory: string;
  /** `index.handler` */
  readonly handler: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly reservedConcurrency?: number;
}
