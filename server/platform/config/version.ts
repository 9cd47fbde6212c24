/** Version of the interface description, as the published one declares it. */
export const API_VERSION = '1.0.0';
