/** The OpenAPI schema of the Clock. There is one, named `cluster`; nobody writes it. */
export const clockSchema = {
  type: 'object',
  description:
    'Clock is the time of this cluster. POST {"duration":"10m"} to its subresource advance to move a virtual clock, {} to settle to wait until nothing is left to do at this instant, and {} to reset to empty the cluster for the next test.',
  properties: {
    status: {
      type: 'object',
      description: 'What the clock shows.',
      properties: {
        time: { type: 'string', format: 'date-time', description: 'The time of the cluster now, with milliseconds.' },
        type: {
          type: 'string',
          enum: ['Real', 'Virtual'],
          description: "Real: the machine's clock. Virtual: it stands still until advance moves it.",
        },
      },
    },
  },
} as const;

/** What is sent to `clocks/cluster/advance`. */
export const advanceSchema = {
  type: 'object',
  description:
    'How far to move the clock. Answered with the Clock when everything due by then has happened, and the cluster has settled.',
  required: ['duration'],
  properties: {
    duration: { type: 'string', description: 'How far the clock moves: 10m, 1h30m.' },
    quiet: {
      type: 'string',
      description:
        'Real time for which no client may have changed anything, after each event, before the clock moves on: 50ms. By default, 20 ms while clients watch.',
    },
    timeout: {
      type: 'string',
      description: 'Real time within which the cluster must settle after each event. By default 30s.',
    },
  },
} as const;

/** What is sent to `clocks/cluster/settle`. */
export const settleSchema = {
  type: 'object',
  description: 'Answered with the Clock when nothing is left to do at this instant.',
  properties: {
    quiet: {
      type: 'string',
      description:
        'Real time for which no client may have changed anything: 50ms. By default, 20 ms while clients watch.',
    },
    timeout: { type: 'string', description: 'Real time within which the cluster must settle. By default 30s.' },
  },
} as const;

/** What is sent to `clocks/cluster/reset`: nothing. */
export const resetSchema = {
  type: 'object',
  description:
    'Deletes all objects, but for those that every new cluster has. Answered with the Clock when the cluster is as it was after its start, at a later time.',
  properties: {},
} as const;
