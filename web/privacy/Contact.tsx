import { contactOperator } from '../../contract/feedback.ts'
import { config } from '../api/config.ts'
import { MessageForm } from '../feedback/MessageForm.tsx'
import { Part } from '../ui/Part.tsx'

/** Who runs the service, and how to reach them, also without an account (screens-9, people-25). */
export function Contact() {
  const { contactEmail, operatorName } = config
  return (
    <Part title="Contact">
      <p className="wrap-anywhere">
        {operatorName
          ? `This service is run by ${operatorName}.`
          : `Whoever runs this service at ${location.host} has not given a name.`}
      </p>
      {contactEmail ? (
        <p>
          Write to{' '}
          <a href={`mailto:${contactEmail}`} className="wrap-anywhere underline underline-offset-3">
            {contactEmail}
          </a>
          .
        </p>
      ) : (
        <>
          <p>
            Write to them here, with or without an account. Their answer comes by e-mail, unless you chose ‘No
            e-mails’.
          </p>
          <div className="text-ink">
            <MessageForm endpoint={contactOperator} from="" action="Send message" />
          </div>
        </>
      )}
    </Part>
  )
}
