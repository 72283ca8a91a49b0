/**
 * What AWS publishes of its services' limits. Each group names its source and the day on which it was read. What the documentation leaves open, such as how
 * long a split takes, is a knob of the models and not here.
 */

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, .../bp-partition-key-design.html and .../on-demand-capacity-mode.html; read on 2026-11-22. */
export const DYNAMODB = {
  /** Of one partition, a second. */
  partitionWriteUnits: 1_000,
  partitionReadUnits: 3_000,
  /** Of one table or global index billed on demand, a second; a quota that can be raised. */
  tableWriteUnits: 40_000,
  tableReadUnits: 40_000,
  /** What a new table billed on demand bears at once. */
  newTableWriteUnits: 4_000,
  newTableReadUnits: 12_000,
  writeUnitBytes: 1_024,
  readUnitBytes: 4_096,
  itemBytes: 409_600,
  partitionKeyBytes: 2_048,
  sortKeyBytes: 1_024,
  pageBytes: 1_048_576,
  batchGetKeys: 100,
  batchGetBytes: 16_777_216,
  /** Of one partition key's items and local index entries, in a table with local indexes. */
  collectionBytes: 10_737_418_240,
} as const;

/**
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html and the API reference of DynamoDB Streams (.../APIReference/API_streams_GetShardIterator.html,
 * .../API_streams_GetRecords.html); read on 2026-11-22.
 */
export const STREAMS = {
  retentionMs: 24 * 3_600_000,
  /** From when an iterator is returned to when it is refused. */
  iteratorLifeMs: 15 * 60_000,
  recordsPerPage: 1_000,
} as const;

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html; read on 2026-11-22. Of the trigger of a standard queue, without provisioned pollers. */
export const QUEUE_TRIGGER = {
  /** How many batches are handed to the function at the same time when messages begin to come. */
  firstConcurrency: 5,
  /** How many more a minute, as long as messages wait. */
  concurrencyPerMinute: 300,
  mostConcurrency: 1_250,
} as const;

/**
 * How many long polls Lambda keeps open while nothing comes: five to the work queue, whose trigger has a maximum concurrency, and two to the queue of given-up batches, whose trigger has none. Each takes 20 s, the longest that SQS allows. From the same page.
 */
export const IDLE_POLLS = { open: 5 + 2, eachMs: 20_000 } as const;
