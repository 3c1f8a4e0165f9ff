import { isRedisSetting, readRedisUrl } from './redis-url.ts';

/** @returns the setting `store` for people: a URL may have a password in it */
export function describeStore(setting: string): string {
  return isRedisSetting(setting) ? readRedisUrl(setting).place : setting;
}
