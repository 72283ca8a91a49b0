import type { Service } from '../../model/cloud/modelClients.ts';

/** What is changed where a process is given its services; whatever is absent stays as it is. */
export interface CloudSeams {
  /** Called once for each process. */
  readonly dynamoDb?: (service: Service) => Service;
}

/** A deliberate defect of what runs on AWS, to see that the simulation finds it. */
export interface CloudMutation {
  readonly name: string;
  /** What is broken, in a sentence. */
  readonly what: string;
  /** Called once for each run. */
  create(): CloudSeams;
}
