import type { Preferences } from '../../contract/onboarding.ts'
import { AudioWaveform } from '../achievements/icons.ts'
import type { Icon } from '../ui/icons.tsx'
import {
  Blend,
  CloudFog,
  Drum,
  FlaskConical,
  Gauge,
  Gem,
  Heart,
  Leaf,
  MicVocal,
  Radio,
  Shell,
  Shuffle,
  Turtle,
} from '../ui/laterIcons.ts'

export type QuestionKey = keyof Preferences

export interface Option<Key extends QuestionKey> {
  value: Preferences[Key]
  name: string
  hint: string
  icon: Icon
}

/** The options of each question: the contract's value and our text (onboarding-2). */
const options: { [Key in QuestionKey]: readonly Option<Key>[] } = {
  energyPreference: [
    { value: 'slow', name: 'Slow', hint: 'Room to breathe', icon: Turtle },
    { value: 'fast', name: 'Fast', hint: 'Keep me moving', icon: Gauge },
    { value: 'weird', name: 'Weird', hint: 'Throw me off balance', icon: Shell },
    { value: 'mixed', name: 'Mixed', hint: 'Whatever comes', icon: Shuffle },
  ],
  vocalPreference: [
    { value: 'vocal', name: 'Vocal', hint: 'Somebody sings to me', icon: MicVocal },
    { value: 'instrumental', name: 'Instrumental', hint: 'No words needed', icon: AudioWaveform },
    { value: 'both', name: 'Both', hint: 'Either is fine', icon: Blend },
  ],
  familiarityLevel: [
    { value: 'mainstream', name: 'Mainstream', hint: 'Names I may know', icon: Radio },
    { value: 'indie', name: 'Indie', hint: 'A little off the road', icon: Leaf },
    { value: 'obscure', name: 'Obscure', hint: 'Nobody has heard of it', icon: Gem },
  ],
  musicMood: [
    { value: 'ambient', name: 'Ambient', hint: 'It fills the room', icon: CloudFog },
    { value: 'emotional', name: 'Emotional', hint: 'It gets under the skin', icon: Heart },
    { value: 'rhythmic', name: 'Rhythmic', hint: 'It makes you want to dance', icon: Drum },
    { value: 'experimental', name: 'Experimental', hint: 'It tries things out', icon: FlaskConical },
  ],
}

/** The questions in order. */
export const questions = [
  { key: 'energyPreference', text: 'How fast should it go?', options: options.energyPreference },
  { key: 'vocalPreference', text: 'Voices, or just the music?', options: options.vocalPreference },
  { key: 'familiarityLevel', text: 'How far off the map?', options: options.familiarityLevel },
  { key: 'musicMood', text: 'What should it do to you?', options: options.musicMood },
] as const satisfies readonly { key: QuestionKey; text: string; options: unknown }[]
