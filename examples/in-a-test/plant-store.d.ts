/** Plant Store 1.0.0, as `coldframe types` writes it: write it again when the document changes. */

export interface PlantStore {
  operations: {
    createPlant: CreatePlantOperation;
  };
  state: {
    plants: {
      shown: Plant;
      given: NewPlant;
    };
  };
  fixtures:
    | 'brief-outage'
    | 'corrupt'
    | 'dropped-connection'
    | 'empty-response'
    | 'expired-token'
    | 'fail-first-two'
    | 'flaky'
    | 'flaky.connection'
    | 'maintenance'
    | 'maintenance.connection'
    | 'mobile-3g'
    | 'mobile-edge'
    | 'offline'
    | 'overloaded'
    | 'overloaded.connection'
    | 'overloaded.slow'
    | 'rate-limited'
    | 'refuse-cactus'
    | 'refuse-fail-names'
    | 'slow'
    | 'slow-api'
    | 'sometimes-slow'
    | 'timeouts';
}

/**
 * POST /plants
 *
 * Create a plant
 */
export interface CreatePlantOperation {
  parameters: {
    [key: string]: never;
  };
  body: NewPlant;
  responses: {
    200: Plant;
    400: Error;
  };
  examples: {
    200: 'monstera' | 'withoutTag' | 'largestId';
    400: 'missingName' | 'idNotAnInteger' | 'badToken' | 'tooManyRequests' | 'unavailable';
  };
}

export interface Plant {
  /** The name of the plant */
  name: string;
  /** Tag to specify the type */
  tag?: string;
}

export type NewPlant = Plant & {
  /** Identification number of the plant */
  id: number | bigint;
};

export interface Error {
  /** Numeric error indicator */
  error: number;
  /** Error message text */
  message: string;
}
