import { mountRoute } from '#server/http/nextMount.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountRoute();
