import { MAX_LINKS } from '#core/schema/profile.ts';
import { field } from './forms.ts';

/** What the form of the profile holds, as it was typed; links without the empty ones between them. */
export interface ProfileInForm {
  display_name: string;
  bio: string;
  location: string;
  links: string[];
  cohort_id: string;
}

export function readProfileForm(form: FormData): ProfileInForm {
  const links = Array.from({ length: MAX_LINKS }, (_, at) => field(form, `link-${at + 1}`).trim());
  return {
    display_name: field(form, 'display_name'),
    bio: field(form, 'bio'),
    location: field(form, 'location'),
    links: links.filter((link) => link !== ''),
    cohort_id: field(form, 'cohort_id'),
  };
}
